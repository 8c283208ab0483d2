// Keeps more facts than the folder has room for, and prints what happened: node store-filler.cjs MODULE FOLDER
const { randomBytes } = require('node:crypto');
const [, , module_, folder] = process.argv;
const { PastDays } = require(module_);

async function fill() {
  const problems = [];
  const clock = { now: Date.now, monotonic: Date.now, after: () => () => undefined };
  const open = () => new PastDays({ folder, clock, onProblem: (problem) => problems.push(problem) });
  const past = open();
  const fact = (index) => ({
    kind: 'series',
    house: '001122aabbcc',
    start: Date.UTC(2026, 0, 15),
    name: `fact ${index}`,
  });
  for (let index = 0; index < 40; index += 1) {
    await past.keep(fact(index), randomBytes(4000).toString('hex'), (_known, added) => added);
    await past.flush();
  }
  const again = open();
  let kept = 0;
  for (let index = 0; index < 40; index += 1) if ((await again.get(fact(index))) !== undefined) kept += 1;
  console.log(JSON.stringify({ problems, kept }));
}

void fill();
