// Writes two facts that belong together, again and again, until it is killed: node store-writer.cjs MODULE FILE
const [, , module_, file] = process.argv;
const { mergeMonth } = require(module_);

async function write() {
  for (let count = Date.now(); ; count += 1) {
    const value = Array.from({ length: 2000 }, () => count);
    const facts = ['a', 'b'].map((name) => [name, { value, join: (_known, added) => added }]);
    await mergeMonth(file, new Map(facts), true);
    console.log(count);
  }
}

void write();
