import should from 'should';
import { withRows } from '../../../scripts/build/form-rows';

function linesOf(row: string, type: string): string[] {
  return withRows(`${row}\n`, type).trimEnd().split('\n');
}

describe('a row of a form', () => {
  it('is a label with an icon, an input, a hint and a place for a pick list', () => {
    linesOf(
      '  <cemm-row field="grid" icon="plug" class="cemm-a" id="b" placeholder hint="hint.meters" picks />',
      'cemm-balance',
    ).should.eql([
      '<div class="form-row cemm-a" id="b">',
      '<label for="node-input-grid"><i class="fa fa-plug"></i> <span data-i18n="field.grid"></span></label>',
      '<input type="text" id="node-input-grid" data-i18n="[placeholder]placeholder.grid" />',
      '<div class="cemm-hint" data-i18n="hint.meters"></div>',
      '<div class="cemm-picks" id="cemm-picks-grid"></div>',
      '</div>',
    ]);
  });

  const inputs = [
    ['cemm-connection', 'allowLoopback', '<input type="checkbox" id="node-config-input-allowLoopback" />'],
    ['cemm-connection', 'host', '<input type="text" id="node-config-input-host" />'],
    ['cemm-discovery', 'wait', '<input type="text" inputmode="decimal" id="node-input-wait" class="cemm-number" />'],
    ['cemm-webhook-in', 'headerKey', '<input type="password" id="node-input-headerKey" autocomplete="new-password" />'],
    ['cemm-totals', 'date', '<input type="hidden" id="node-input-dateType" />'],
    ['cemm-discovery', 'emit', '<option value="list" data-i18n="emit.list"></option>'],
  ] as const;
  for (const [type, field, line] of inputs) {
    it(`has the input of the rule of ${field}`, () => {
      linesOf(`<cemm-row field="${field}" icon="key" />`, type).should.containEql(line);
    });
  }

  it('takes options of its own, and the other values from the rule', () => {
    const own = '<option value="" data-i18n="language.nodeRed"></option>';
    linesOf(`<cemm-row field="language" icon="globe">\n  ${own}\n</cemm-row>`, 'cemm-connection')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('<option'))
      .slice(0, 2)
      .should.eql([own, '<option value="en-US" data-i18n="language.en-US"></option>']);
  });

  it('puts other lines between the input and the hint', () => {
    const lines = linesOf(
      '<cemm-row field="port" icon="plug" hint>\n<p id="note"></p>\n</cemm-row>',
      'cemm-webhook-in',
    );
    lines.slice(-3).should.eql(['<p id="note"></p>', '<div class="cemm-hint" data-i18n="hint.port"></div>', '</div>']);
  });

  const mistakes = [
    ['an unknown parameter', '<cemm-row field="host" icon="globe" hints />', /unknown parameter hints/],
    ['an unknown field', '<cemm-row field="hots" icon="globe" />', /hots, which is no property/],
    ['an unknown icon', '<cemm-row field="host" icon="globes" />', /unknown icon globes/],
    ['no end', '<cemm-row field="host" icon="globe">', /cannot be read/],
  ] as const;
  for (const [mistake, row, sentence] of mistakes) {
    it(`is refused with ${mistake}`, () => {
      should(() => linesOf(row, 'cemm-connection')).throw(sentence);
    });
  }
});
