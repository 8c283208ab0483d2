import { describeDay } from '../../support/houses/matrix-tests';

describeDay('the matrix: the first day', { usual: '2026-06-18' }, 0, 3);
