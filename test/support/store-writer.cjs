// Writes two facts that belong together, again and again, until it is killed: node store-writer.cjs MODULE FILE
const [, , module_, file] = process.argv;
const { mergeMonth } = require(module_);

async function write() {
  for (let count = Date.now(); ; count += 1) {
    const facts = ['a', 'b'].map((name) => [name, { readAt: count, value: Array.from({ length: 2000 }, () => count) }]);
    await mergeMonth(file, new Map(facts));
    console.log(count);
  }
}

void write();
