// A client for HomeWizard P1 meters from another project reads the given address and prints the result as one line of JSON, `{
// device, data }` or `{ error, status }`.
const { P1MeterApi } = require('homewizard-energy-api');

async function readMeter(address) {
  const meter = new P1MeterApi(address);
  try {
    return { device: await meter.getBasicInformation(), data: await meter.getData() };
  } catch (error) {
    return { error: error.name, status: error.statusCode };
  }
}

void readMeter(process.argv[2]).then((result) => {
  console.log(JSON.stringify(result));
});
