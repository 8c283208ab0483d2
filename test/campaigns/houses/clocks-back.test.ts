import { describeDay } from '../../support/houses/matrix-tests';

describeDay('the matrix: clocks are set back', { usual: '2026-10-25', 'America/St_Johns': '2026-11-01' }, 29, 1);
