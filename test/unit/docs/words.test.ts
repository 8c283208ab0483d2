/** One word for a thing: words that may not appear in the texts of a language, each with the word to use in its place. */
import 'should';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { languages, type Language } from '../../../scripts/build/catalogue';
import { sitePages } from '../../../scripts/site';
import { translations } from '../../../scripts/twins';

const root = path.resolve(__dirname, '../../..');

const replaced: Readonly<Record<Language, readonly (readonly [RegExp, string])[]>> = {
  'en-US': [
    [/\bwho sets up\b/i, 'to set up …'],
    [/\bthat no calendar has\b/i, 'that does not exist'],
    [/\blets no local port\b/i, 'a local port cannot be opened'],
    [/\bholds two NULL\b/i, 'treats two NULL as different'],
    [/\bleads nobody\b/i, 'only you can …'],
    [/\bdearest\b/i, 'most expensive'],
    [/\bprevents? that\b/i, 'prevents … from'],
    [/\bstands? in the\b/i, 'is in the'],
  ],
  nl: [
    [/\bvoorbije\b/i, 'eerdere'],
    [/\bmachines?\b/i, 'computer'],
    [/\bwacht hoogstens\b(?! \d)/i, 'maximale wachttijd'],
    [/\bmunt(?:eenheid)?\b/i, 'valuta'],
    [/\bklokken verschillen\b(?! meer)/i, 'klokverschil'],
    [/\bonbewezen\b/i, 'zonder authenticatie'],
    [/\b(?:realtime|meterstanden|webhook|omzet|reeks)-?nodes?\b/i, 'de naam in het palet, zoals “actueel”'],
    [/\bleest het gas\b/i, 'geeft een nieuwe gasstand'],
    [/\btot meer monitors\b/i, 'tot meerdere monitors'],
    [/\bgrenzen\b(?!, meters)/i, 'beperkingen'],
    [/\bmeer lezen\b/i, 'verder lezen'],
    [/\b(?:je|jij|jouw)\b/i, 'u, uw'],
    [/\bnoemt monitors\b/i, 'toont een lijst van monitors'],
    [/\bwijs een uur aan\b/i, 'houd de muis boven een uur'],
    [/\bsleutels? (?:te )?maken\b|\bmaak(?:t)? een sleutel\b/i, 'genereren'],
    [/\baanvraag\b|(?<!sleutel )\baanvragen\b/i, 'verzoek'],
    [/\bte veel vragen\b/i, 'te veel verzoeken'],
    [/\bop afstand\b|\bextern(?:e verbinding)?\b/i, 'via internet'],
    [/\bwijzerpla(?:at|ten)\b/i, 'gauge'],
    [/\b(?:zelfconsumptie|eigenverbruik|eigen gebruik|zelf gebruikte? (?:opwek|zonnestroom))\b/i, 'zelfverbruik'],
  ],
  de: [
    [/\bumform/i, 'umwandeln'],
    [/\b(?:selbstverbrauch|eigennutzung|selbst genutzte)/i, 'Eigenverbrauch'],
    [/\bfernverbindung/i, 'Verbindung über das Internet'],
    [/\b(?:maschine|computer)s?\b/i, 'Rechner'],
    [/\babfrage\b/i, 'Anfrage'],
  ],
  fr: [
    [/\bprélèvement/i, 'soutirage'],
    [/\bmonnaie\b/i, 'devise'],
    [/\bordinateur/i, 'machine'],
    [/\b(?:la|cette) demande\b/i, 'requête'],
    [/\bautoconsommé [÷=]/i, 'autoconsommation'],
  ],
};

function catalogues(language: Language): string[] {
  return readdirSync(path.join(root, 'nodes'), { recursive: true, encoding: 'utf8' })
    .map((file) => `nodes/${file.replaceAll('\\', '/')}`)
    .filter((file) => [`/locales/${language}.json`, `/locales/${language}.html`].some((end) => file.endsWith(end)));
}

function textsIn(language: Language): string[] {
  const dutch = translations();
  const pages = { 'en-US': sitePages().filter((page) => !dutch.includes(page)), nl: dutch, de: [], fr: [] }[language];
  return [...catalogues(language), ...pages];
}

/** Text without code: names in code are those of programs. */
function proseOf(file: string): string {
  const text = readFileSync(path.join(root, file), 'utf8');
  const blank = (code: string): string => code.replace(/[^\n]/g, '');
  return text
    .replace(/^```[\s\S]*?^```/gm, blank)
    .replace(/`[^`\n]*`|<code>.*?<\/code>/g, blank)
    .replace(/\]\([^)\n]*\)/g, ']');
}

function wrongWords(file: string, language: Language): string[] {
  return proseOf(file)
    .split('\n')
    .flatMap((line, index) =>
      replaced[language].flatMap(([word, better]) => {
        const found = word.exec(line);
        return found === null ? [] : [`${file}:${index + 1}: “${found[0]}” → ${better}`];
      }),
    );
}

describe('the words of a language', () => {
  for (const language of languages) {
    it(`${language}: one word for a thing, in dialogs, help, statuses, errors and pages`, () => {
      const texts = textsIn(language);
      texts.length.should.be.above(16);
      texts.flatMap((file) => wrongWords(file, language)).should.eql([]);
    });
  }
});
