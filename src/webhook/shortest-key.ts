/** Characters of a key, or bytes. A shorter one can be guessed: it causes a warning, and guesses of it are limited. */
export const shortestKey = 32;
