/** The texts of the page in its four languages. `{0}` and `{1}` are replaced by values. */

const languages = ['en', 'nl', 'de', 'fr'] as const;

export type Language = (typeof languages)[number];

/** In the order of the languages. */
type Row = `${string}|${string}|${string}|${string}`;

/** Makes a type of the row names. */
function rows<K extends string>(table: Readonly<Record<K, Row>>): Readonly<Record<K, Row>> {
  return table;
}

const texts = rows({
  now: 'Now|Nu|Jetzt|Maintenant',
  day: 'Day|Dag|Tag|Jour',
  month: 'Month|Maand|Monat|Mois',
  year: 'Year|Jaar|Jahr|Année',
  bill: 'Bill|Rekening|Rechnung|Facture',
  views: 'Views|Weergaven|Ansichten|Vues',
  today: 'Today|Vandaag|Heute|Aujourd’hui',
  yesterday: 'Yesterday|Gisteren|Gestern|Hier',
  date: 'Date|Datum|Datum|Date',
  previous: 'Back|Terug|Zurück|Précédent',
  next: 'Forward|Vooruit|Vor|Suivant',
  compare: 'Compare with|Vergelijk met|Vergleichen mit|Comparer avec',
  none: 'nothing|niets|nichts|rien',
  dayBefore: 'the day before|de dag ervoor|Vortag|la veille',
  weekBefore: 'a week before|een week eerder|Vorwoche|une semaine avant',
  monthBefore: 'the month before|de maand ervoor|Vormonat|le mois précédent',
  yearBefore: 'the year before|het jaar ervoor|Vorjahr|l’année précédente',
  lastYear: 'last year|vorig jaar|Vorjahr|l’an dernier',
  until: 'until {0}|tot {0}|bis {0}|jusqu’à {0}',
  bars: 'Bars|Staven|Balken|Barres',
  curve: 'Power|Vermogen|Leistung|Puissance',
  table: 'Table|Tabel|Tabelle|Tableau',
  house: 'House|Huis|Haus|Maison',
  sun: 'Sun|Zon|Sonne|Soleil',
  grid: 'Grid|Net|Netz|Réseau',
  battery: 'Battery|Batterij|Batterie|Batterie',
  used: 'Used|Verbruikt|Verbraucht|Consommé',
  production: 'From the sun|Van de zon|Von der Sonne|Du soleil',
  ownUse: 'Own sun used|Eigen zon verbruikt|Eigene Sonne verbraucht|Soleil autoconsommé',
  import: 'From the grid|Van het net|Aus dem Netz|Du réseau',
  export: 'To the grid|Naar het net|Ins Netz|Vers le réseau',
  charged: 'Battery charged|Batterij geladen|Batterie geladen|Batterie chargée',
  discharged: 'From the battery|Uit de batterij|Aus der Batterie|De la batterie',
  fromGrid: 'from the grid|van het net|aus dem Netz|du réseau',
  toGrid: 'to the grid|naar het net|ins Netz|vers le réseau',
  charges: 'charging|laadt|lädt|en charge',
  discharges: 'discharging|ontlaadt|entlädt|en décharge',
  sufficiency: 'Self-sufficiency|Zelfvoorzienend|Autarkie|Autonomie',
  selfUsed: '{0} used yourself|{0} zelf gebruikt|{0} selbst verbraucht|{0} autoconsommé',
  gas: 'Gas|Gas|Gas|Gaz',
  water: 'Water|Water|Wasser|Eau',
  cost: 'Cost|Kosten|Kosten|Coût',
  costPart: 'Part|Onderdeel|Posten|Poste',
  fee: 'Export fee|Terugleverkosten|Einspeisegebühr|Frais d’injection',
  fixed: 'Fixed cost|Vaste kosten|Fixkosten|Frais fixes',
  capacity: 'Capacity tariff|Capaciteitstarief|Leistungspreis|Tarif de capacité',
  pair: '{0}: {1}|{0}: {1}|{0}: {1}|{0}\u00a0: {1}',
  total: 'Total|Totaal|Summe|Total',
  peak: 'Highest quarter of an hour|Hoogste kwartier|Höchste Viertelstunde|Quart d’heure le plus élevé',
  expected: 'Expected this quarter|Verwacht dit kwartier|Erwartet in dieser Viertelstunde|Prévu ce quart d’heure',
  measured: '{0} measured|{0} gemeten|{0} gemessen|{0} mesuré',
  estimated: 'partly estimated|deels geschat|teils geschätzt|en partie estimé',
  readings: 'Meter readings|Meterstanden|Zählerstände|Relevés',
  readingAt: 'reading of {0}|stand van {0}|Stand von {0}|relevé de {0}',
  time: 'Time|Tijd|Zeit|Heure',
  points:
    '{0}: arrow keys show values|{0}: pijltjestoetsen tonen waarden|{0}: Pfeiltasten zeigen Werte|{0} : les flèches affichent les valeurs',
  reading: 'Reading {0}: {1}|{0} wordt gelezen: {1}|{0} wird gelesen: {1}|Lecture de {0} : {1}',
  ofAll: '{0} of {1}|{0} van {1}|{0} von {1}|{0} sur {1}',
  noAnswer: 'No answer: {0}|Geen antwoord: {0}|Keine Antwort: {0}|Pas de réponse : {0}',
  MONITOR_OFFLINE:
    'the monitor cannot be reached.|de monitor is niet bereikbaar.|der Monitor ist nicht erreichbar.|le moniteur est injoignable.',
  NETWORK: 'no connection.|geen verbinding.|keine Verbindung.|pas de connexion.',
  AUTH: 'the key is refused.|de sleutel wordt geweigerd.|der Schlüssel wird abgelehnt.|la clé est refusée.',
  old: 'No new values since {0}.|Geen nieuwe waarden sinds {0}.|Keine neuen Werte seit {0}.|Pas de nouvelles valeurs depuis {0}.',
  nothing: 'Nothing was measured.|Niets gemeten.|Nichts gemessen.|Rien n’a été mesuré.',
  demo: 'Demo: choose your own monitor in the connection.|Demo: kies uw eigen monitor in de verbinding.|Demo: Wählen Sie Ihren eigenen Monitor in der Verbindung.|Démo : choisissez votre moniteur dans la connexion.',
  example:
    'Example prices: enter your own in the connection.|Voorbeeldprijzen: vul uw eigen prijzen in bij de verbinding.|Beispielpreise: Geben Sie Ihre eigenen in der Verbindung ein.|Prix d’exemple : saisissez les vôtres dans la connexion.',
  not_readable:
    'a meter cannot be read|een meter is niet te lezen|ein Zähler ist nicht lesbar|un compteur est illisible',
  not_measured: 'not measured|niet gemeten|nicht gemessen|non mesuré',
  too_old: 'too old|te oud|zu alt|trop ancien',
  unknown: 'unknown|onbekend|unbekannt|inconnu',
  twelve: 'twelve months|twaalf maanden|zwölf Monate|douze mois',
  netted:
    'With netting (until 2026)|Met salderen (tot en met 2026)|Mit Saldierung (bis 2026)|Avec compensation (jusqu’en 2026)',
  unnetted:
    'Without netting (from 2027), same prices|Zonder salderen (vanaf 2027), zelfde prijzen|Ohne Saldierung (ab 2027), gleiche Preise|Sans compensation (dès 2027), mêmes prix',
  without:
    'Without netting, these twelve months cost {0} instead of {1}: {2} {3}.|Zonder salderen kosten deze twaalf maanden {0} in plaats van {1}: {2} {3}.|Ohne Saldierung kosten diese zwölf Monate {0} statt {1}: {2} {3}.|Sans compensation, ces douze mois coûtent {0} au lieu de {1} : {2} {3}.',
  more: 'more|meer|mehr|de plus',
  less: 'less|minder|weniger|de moins',
  equal:
    'With and without netting, these twelve months cost {0}.|Met en zonder salderen kosten deze twaalf maanden {0}.|Mit und ohne Saldierung kosten diese zwölf Monate {0}.|Avec ou sans compensation, ces douze mois coûtent {0}.',
  noBill:
    'The bill is not known: {0}.|De rekening is niet bekend: {0}.|Die Rechnung ist nicht bekannt: {0}.|La facture n’est pas connue : {0}.',
  no_price: 'no prices are set|er zijn geen prijzen ingevuld|es sind keine Preise eingegeben|aucun prix n’est saisi',
  too_few_days:
    'less than 98% of the days was measured|minder dan 98% van de dagen is gemeten|weniger als 98\u00a0% der Tage wurden gemessen|moins de 98\u00a0% des jours sont mesurés',
  moved:
    '1 kWh a day moved into the sun saves|1 kWh per dag naar de zon verplaatst bespaart|1 kWh am Tag in die Sonne verlegt spart|1 kWh par jour déplacé au soleil économise',
  batteryOf:
    'A battery of {0} saves|Een batterij van {0} bespaart|Eine Batterie mit {0} spart|Une batterie de {0} économise',
  buy: 'Price of 1 kWh from the grid|Prijs van 1 kWh van het net|Preis von 1 kWh aus dem Netz|Prix de 1 kWh du réseau',
  sell: 'Income of 1 kWh to the grid|Opbrengst van 1 kWh naar het net|Erlös von 1 kWh ins Netz|Recette de 1 kWh vers le réseau',
  noNumber:
    'Enter a number, such as {0}|Vul een getal in, zoals {0}|Geben Sie eine Zahl ein, z. B. {0}|Saisissez un nombre, comme {0}',
  perDay: 'Fixed cost per day|Vaste kosten per dag|Fixkosten pro Tag|Frais fixes par jour',
});

export type TextKey = keyof typeof texts;

/** A text in one language. */
export type Say = (key: TextKey, ...values: readonly (string | number)[]) => string;

/** The column of a tag such as `nl-BE`; English for other languages. */
export function languageOf(tag: string): Language {
  return known(tag) ?? 'en';
}

export function isKnown(tag: string): boolean {
  return known(tag) !== undefined;
}

function known(tag: string): Language | undefined {
  return languages.find((language) => tag.toLowerCase().startsWith(language));
}

export function texting(language: Language): Say {
  const column = languages.indexOf(language);
  return (key, ...values) =>
    (texts[key].split('|')[column] ?? '').replace(/\{(\d)\}/g, (_, index: string) =>
      String(values[Number(index)] ?? ''),
    );
}
