import { fill, type Language, type Text, type TextParams } from './language.ts';

interface EdgeError {
  readonly status: number;
  readonly title: Text;
  readonly text: Text;
}

/**
 * What a visitor of a subdomain is told when the panel behind it cannot answer: code, status and texts.
 * 503 says that nobody is connected (come again), 502 that the connection or the panel behind it broke.
 */
export const edgeErrors = {
  bad_request: {
    status: 400,
    title: { de: 'Ungültige Anfrage', en: 'Bad request' },
    text: {
      de: 'Die Anfrage ist so nicht verständlich und wurde nicht weitergegeben.',
      en: 'The request cannot be understood and was not passed on.',
    },
  },
  unknown_host: {
    status: 404,
    title: { de: 'Diese Adresse gibt es nicht', en: 'There is nothing at this address' },
    text: {
      de: 'Unter «{host}» ist kein Server eingerichtet. Prüfen Sie, ob die Adresse richtig geschrieben ist.',
      en: 'No server is set up at “{host}”. Check that the address is spelled correctly.',
    },
  },
  no_connector: {
    status: 503,
    title: { de: 'Der Server ist nicht verbunden', en: 'The server is not connected' },
    text: {
      de: 'Die Adresse «{host}» ist eingerichtet, aber ihr Server ist gerade nicht mit dem Tunnel verbunden. Gehört er Ihnen, prüfen Sie, ob dort der Connector (cloudflared) läuft.',
      en: 'The address “{host}” is set up, but its server is not connected to the tunnel right now. If it is yours, check that the connector (cloudflared) is running there.',
    },
  },
  origin_unreachable: {
    status: 502,
    title: { de: 'Das Panel antwortet nicht', en: 'The panel is not answering' },
    text: {
      de: 'Der Tunnel steht, aber das Panel dahinter ist nicht erreichbar. Gehört es Ihnen, prüfen Sie, ob es läuft und ob der eingetragene Port stimmt.',
      en: 'The tunnel is up, but the panel behind it cannot be reached. If it is yours, check that it is running and that its port is entered correctly.',
    },
  },
  connection_lost: {
    status: 502,
    title: { de: 'Die Verbindung ist abgebrochen', en: 'The connection was lost' },
    text: {
      de: 'Die Verbindung zum Server brach ab, bevor er antworten konnte. Bitte versuchen Sie es noch einmal.',
      en: 'The connection to the server broke before it could answer. Please try again.',
    },
  },
  suspended: {
    status: 403,
    title: { de: 'Diese Adresse ist gesperrt', en: 'This address is suspended' },
    text: {
      de: 'Der Betreiber hat «{host}» gesperrt. Wenden Sie sich an ihn, wenn Sie das für einen Irrtum halten.',
      en: 'The operator has suspended “{host}”. Contact them if you think this is a mistake.',
    },
  },
  too_many_requests: {
    status: 429,
    title: { de: 'Zu viele Anfragen', en: 'Too many requests' },
    text: {
      de: 'Es kamen zu viele Anfragen in kurzer Zeit. Versuchen Sie es in {seconds} Sekunden noch einmal.',
      en: 'Too many requests came in a short time. Try again in {seconds} seconds.',
    },
  },
  body_too_large: {
    status: 413,
    title: { de: 'Die Anfrage ist zu groß', en: 'The request is too large' },
    text: {
      de: 'Es lassen sich höchstens {maximum} MB auf einmal übertragen.',
      en: 'At most {maximum} MB can be sent at once.',
    },
  },
  timeout: {
    status: 504,
    title: { de: 'Das Panel braucht zu lange', en: 'The panel is taking too long' },
    text: {
      de: 'Das Panel hinter dem Tunnel hat nicht rechtzeitig geantwortet. Bitte versuchen Sie es später noch einmal.',
      en: 'The panel behind the tunnel did not answer in time. Please try again later.',
    },
  },
} as const satisfies Record<string, EdgeError>;

export type EdgeErrorCode = keyof typeof edgeErrors;

/** An edge error's title and text for people. */
export function edgeErrorTexts(code: EdgeErrorCode, language: Language, params: TextParams) {
  const { title, text } = edgeErrors[code];
  return { title: title[language], text: fill(text[language], params) };
}
