import { describeDay } from '../../support/houses/matrix-tests';

describeDay('the matrix: 1 January', { usual: '2027-01-01' }, 29, 2);
