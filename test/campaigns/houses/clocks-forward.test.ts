import { describeDay } from '../../support/houses/matrix-tests';

describeDay('the matrix: clocks are set forward', { usual: '2026-03-29', 'America/St_Johns': '2026-03-08' }, 29, 0);
