// One word for a thing: words that may not appear in the texts of a language, each with the word to use in its place.
import { languages, type Language } from '../../build/catalogue';
import { faultsFile, sitePages } from '../site';
import { translations } from '../twins';
import { filesIn, readText, unless } from './text';

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

function textsIn(language: Language): string[] {
  const dutch = translations();
  const english = sitePages().filter((page) => page !== faultsFile && !dutch.includes(page));
  const pages = { 'en-US': english, nl: dutch, de: [], fr: [] }[language];
  const catalogues = ['json', 'html'].flatMap((ending) => filesIn('nodes', `/locales/${language}.${ending}`));
  return [...catalogues, ...(language === 'en-US' ? ['src/sentences.ts'] : []), ...pages];
}

/** Text without code: names in code are those of programs. */
function proseOf(file: string): string {
  const blank = (code: string): string => code.replace(/[^\n]/g, '');
  return readText(file)
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

/** In dialogs, help, statuses, errors and pages. */
export function wordsAreUsual(): string[] {
  return languages.flatMap((language) => {
    const texts = textsIn(language);
    const few = unless(texts.length > 16, `nodes/lib/locales/${language}.json`, '', `few texts in ${language}`);
    return [...few, ...texts.flatMap((file) => wrongWords(file, language))];
  });
}
