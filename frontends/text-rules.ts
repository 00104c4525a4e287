import type { Language } from '@talpa/contracts/language';

/** Who says a text: the panel fills and formats its own. */
export type Speaker = 'panel' | 'others';

/** What no text may hold; `docs/writing.md` says what to write instead. */
interface Rule {
  readonly languages: readonly Language[];
  readonly refuses: RegExp;
  readonly instead: string;
  /** A text that breaks this rule alone. */
  readonly example: string;
  /** Where it applies; everywhere when left out. */
  readonly only?: Speaker;
}

const both = ['de', 'en'] as const;
const german = ['de'] as const;
const english = ['en'] as const;

export const textRules: readonly Rule[] = [
  {
    languages: both,
    refuses: /[«»‹›]/,
    instead: '„…“ in German, “…” in English',
    example: '«Alpha» is there',
  },
  { languages: both, refuses: /["']/, instead: 'typographic quotes and apostrophes', example: 'Its "name"' },
  { languages: both, refuses: /`/, instead: 'quotes around a command', example: 'Run `talpa`' },
  { languages: both, refuses: / {2}/, instead: 'one space', example: 'One  two' },
  { languages: both, refuses: /^\s|\s$/, instead: 'no space at either end', example: 'One ' },
  {
    languages: both,
    refuses: / [,;:!?]/,
    instead: 'no space before a punctuation mark',
    example: 'One , two',
  },
  { languages: both, refuses: /\.\.\./, instead: 'the character …', example: 'One...' },
  { languages: both, refuses: /\b(Byte|byte)s?\b/, instead: 'B, kB, MB', example: '17 Byte' },
  {
    languages: both,
    refuses: /[\d}] (ms|s|B|kB|MB|GB)\b/,
    instead: 'a no-break space',
    example: 'In 5 s',
    only: 'others',
  },
  {
    languages: both,
    refuses: /\u00a0/,
    instead: 'a plain space, which `fillText` replaces beside a number',
    example: 'In 5\u00a0s',
    only: 'panel',
  },

  { languages: german, refuses: /^[^„“]*[“”]|„[^“]*([„”]|$)/, instead: '„…“', example: 'Der Plan “Basic“' },
  { languages: german, refuses: /[^ ]…/, instead: 'a space before …', example: 'Wird geladen…' },
  { languages: german, refuses: /\bAbonn(ement|ieren)/, instead: 'Plan', example: 'Ihr Abonnement' },
  { languages: german, refuses: /\bZust[aä]nd|\bState\b/, instead: 'Status', example: 'Der Zustand' },
  { languages: german, refuses: /\bGegenstelle/, instead: 'Tunnel-Server', example: 'Die Gegenstelle' },
  { languages: german, refuses: /\bvon selbst\b/, instead: 'automatisch', example: 'Es geht von selbst' },
  {
    languages: german,
    refuses: /\bJede[rs]? (Status|Rolle|Plan)/,
    instead: 'Alle …',
    example: 'Jeder Status',
  },
  {
    languages: german,
    refuses: /\banderweitig\b/,
    instead: 'bereits vergeben',
    example: 'Ist anderweitig da',
  },
  { languages: german, refuses: /\bKennung\b/, instead: 'ID', example: 'Die Kennung der Anfrage' },
  {
    languages: german,
    refuses: /\b(Login|[Ee]inloggen|[Aa]usloggen)\b/,
    instead: 'Anmelden',
    example: 'Der Login',
  },
  {
    languages: german,
    refuses: /\bmuss bleiben\b|\bdahinter\b$/,
    instead: 'what to do',
    example: 'Das muss bleiben',
  },
  // „Klick“, „Gib“, „Wähle“ are orders given to a friend.
  {
    languages: german,
    refuses:
      /\b([Dd]u|[Dd]ein\w*|[Dd]ich|[Dd]ir|[Ee]uer|[Ee]uch|[Ee]ure\w*)\b|(^|[.!?:] )(Klick|Gib|Wähl|Nutz|Erstell|Prüf|Lad|Öffne|Kopier|Installier|Versuch|Melde|Warte|Bestätig)e?\b/,
    instead: 'Sie',
    example: 'Prüfe deine Eingaben',
  },

  { languages: english, refuses: /„|^[^“”]*”|“[^”]*(“|$)/, instead: '“…”', example: 'The plan „Basic”' },
  { languages: english, refuses: / …/, instead: 'no space before …', example: 'Loading …' },
  { languages: english, refuses: /\bstates?\b/i, instead: 'status', example: 'Every state' },
  { languages: english, refuses: /\bsubscri(ption|be)s?\b/i, instead: 'plan', example: 'Your subscription' },
  { languages: english, refuses: /\bfor good\b/, instead: 'permanently', example: 'Delete for good' },
  { languages: english, refuses: /\bat once\b/, instead: 'immediately', example: 'It works at once' },
  { languages: english, refuses: /\bany more\b/, instead: 'no longer', example: 'Not there any more' },
  {
    languages: english,
    refuses: /\bthe other end\b/,
    instead: 'the tunnel server',
    example: 'Ask the other end',
  },
  {
    languages: english,
    refuses: /\bof (its|their|your) own\b/,
    instead: 'its own …',
    example: 'A port of its own',
  },
  { languages: english, refuses: /\bby itself\b/, instead: 'automatically', example: 'It works by itself' },
  { languages: english, refuses: /\bno\. /, instead: '#', example: 'User no. 7' },
  {
    languages: english,
    refuses: /\bdoes not answer\b|\bnot answering\b/,
    instead: 'not responding',
    example: 'It does not answer',
  },
  {
    languages: english,
    refuses: /\b(log(ged|ging)? ?(in|out|on))\b/i,
    instead: 'sign in, sign out',
    example: 'Log in first',
  },
  { languages: english, refuses: /\bhost name\b/i, instead: 'hostname', example: 'A host name' },
  {
    languages: english,
    refuses: /\b(\w*colour\w*|grey|licence|cancelled|whilst|\w+isation|recognise\w*|centre|cheque)\b/i,
    instead: 'American spelling',
    example: 'Grey',
  },
];

/** Retired words that a title has, or that the specification quotes. */
const allowed: ReadonlySet<string> = new Set([
  'Abonnement',
  'Subscription',
  'Sie haben dieses Abonnement bereits abgeschlossen',
]);

/** What is wrong with a text, with what to write instead. */
export function faultsIn(text: string, language: Language, speaker: Speaker): string[] {
  if (allowed.has(text)) return [];
  return textRules
    .filter(({ languages, only = speaker }) => languages.includes(language) && only === speaker)
    .filter(({ refuses }) => refuses.test(text))
    .map(({ refuses, instead }) => `“${text}”: ${text.match(refuses)?.[0] ?? ''} → ${instead}`);
}
