/** A key that is an unset variable (fault CL9). */
import should from 'should';
import { readSettings } from '../../../nodes/cemm-connection/settings';
import { readWebhookSettings } from '../../../nodes/cemm-webhook-in/settings';
import { expandEnv } from '../../../nodes/lib/stored/typed-input';

const variables: Readonly<Record<string, string>> = { CEMM_KEY: 'the real key' };
const node = {} as unknown as Parameters<typeof expandEnv>[1];
const expand = (text: string): string =>
  expandEnv(
    { util: { getSetting: (_: unknown, name: string) => variables[name] } } as unknown as Parameters<
      typeof expandEnv
    >[0],
    node,
    text,
  );
const unset = { code: 'CONFIG', reason: 'env_not_set', params: { name: 'CEMM_NO_SUCH_KEY' } };
const served = { nodeRoot: '/', admin: { root: '', segments: new Set<string>() } };

describe('a key in an environment variable', () => {
  it('CL9: is refused when the variable is not set', () => {
    const named = '${CEMM_NO_SUCH_KEY}';
    for (const [config, credentials] of [
      [{}, { hmacKey: named }],
      [{}, { hmacKey: ` ${named}\n` }],
      [{}, { hmacKey: 'good', previousHmacKey: named }],
      [{ hmac: false, header: true }, { headerKey: named }],
      [{ hmac: false, query: true }, { queryKey: named }],
    ] as const) {
      should(() => readWebhookSettings({ config, credentials, expand, ...served })).throw(unset);
    }
    const remote = { mode: 'remote', baseUrl: 'https://open-api.cemm.nl/v1/' } as const;
    should(() => readSettings({ config: remote, apiKey: named, expand })).throw(unset);
  });

  it('is the value of the variable, and any other text is used unchanged', () => {
    const remote = { mode: 'remote', baseUrl: 'https://open-api.cemm.nl/v1/' } as const;
    for (const [stored, used] of [
      ['${CEMM_KEY}', 'the real key'],
      ['a${CEMM_KEY}', 'a${CEMM_KEY}'],
      ['$CEMM_KEY', '$CEMM_KEY'],
    ] as const) {
      should(readSettings({ config: remote, apiKey: stored, expand })).have.property('apiKey', used);
    }
  });

  it('is not read when its method is disabled', () => {
    const credentials = { hmacKey: 'good', headerKey: '${CEMM_NO_SUCH_KEY}' };
    should(readWebhookSettings({ config: {}, credentials, expand, ...served }).authenticator.methods).eql(['hmac']);
  });
});
