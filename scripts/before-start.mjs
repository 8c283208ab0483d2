/** The first part of `npm start`: refuses a port that is taken before anything is built, and says what is built. */
import { createServer } from 'node:net';

const port = Number(process.env.PORT ?? 1880);
if (!Number.isInteger(port) || port < 1 || port > 65535) {
  console.error(`PORT must be a number from 1 to 65535, not "${process.env.PORT}".`);
  process.exit(2);
}

const server = createServer();
server.once('error', (error) => {
  const other = port === 65535 ? 1880 : port + 1;
  console.error(
    error.code === 'EADDRINUSE'
      ? `Port ${port} is taken by another program. Choose another port: PORT=${other} npm start`
      : `Port ${port} cannot be used (${error.code}). Choose another port: PORT=1881 npm start`,
  );
  process.exit(1);
});
server.listen(port, '127.0.0.1', () => {
  server.close(() => {
    console.log(
      'Building the package into dist/: library, nodes, dialogs and JSON Schemas. This takes about half a minute.',
    );
  });
});
