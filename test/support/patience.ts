/** Tests also run on small computers and beside other work: each limit of a test and of a wait is three times as long as it says. */
export const patience = 3;
