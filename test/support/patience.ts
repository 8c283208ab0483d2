/** In CI several suites share two processors with other work: each limit of a test and of a wait there is three times as long. */
export const patience = process.env['CI'] === 'true' ? 3 : 1;
