import { fill, type Language, type Text, type TextParams } from './language.ts';

interface EdgeError {
  readonly status: number;
  readonly title: Text;
  readonly text: Text;
}

/**
 * What a visitor of a subdomain sees when the panel behind it cannot answer: code, status and texts.
 * 503 says that nobody is connected (come again), 502 that the connection or the panel behind it broke.
 */
export const edgeErrors = {
  bad_request: {
    status: 400,
    title: { de: 'Ungültige Anfrage', en: 'Bad request' },
    text: {
      de: 'Die Anfrage ist fehlerhaft und wurde nicht weitergeleitet.',
      en: 'The request is malformed and was not forwarded.',
    },
  },
  unknown_host: {
    status: 404,
    title: { de: 'Adresse nicht gefunden', en: 'Address not found' },
    text: {
      de: 'Unter „{host}“ ist kein Server eingerichtet. Prüfen Sie, ob die Adresse richtig geschrieben ist.',
      en: 'No server is set up at “{host}”. Check that the address is spelled correctly.',
    },
  },
  no_connector: {
    status: 503,
    title: { de: 'Der Server ist nicht verbunden', en: 'The server is not connected' },
    text: {
      de: 'Die Adresse „{host}“ ist eingerichtet, aber der zugehörige Server ist gerade nicht mit dem Tunnel verbunden. Wenn er Ihnen gehört, prüfen Sie, ob dort der Connector (cloudflared) läuft.',
      en: 'The address “{host}” is set up, but its server is not connected to the tunnel right now. If this is your server, check that the connector (cloudflared) is running there.',
    },
  },
  origin_unreachable: {
    status: 502,
    title: { de: 'Das Admin-Panel antwortet nicht', en: 'The admin panel is not responding' },
    text: {
      de: 'Der Tunnel steht, aber das Admin-Panel dahinter ist nicht erreichbar. Wenn es Ihnen gehört, prüfen Sie, ob es läuft und der eingetragene Port stimmt.',
      en: 'The tunnel is up, but the admin panel behind it can’t be reached. If it’s yours, check that it is running and that its port is correct.',
    },
  },
  connection_lost: {
    status: 502,
    title: { de: 'Die Verbindung ist abgebrochen', en: 'The connection was lost' },
    text: {
      de: 'Die Verbindung zum Server ist abgebrochen, bevor er antworten konnte. Bitte versuchen Sie es noch einmal.',
      en: 'The connection to the server was lost before it could respond. Please try again.',
    },
  },
  suspended: {
    status: 403,
    title: { de: 'Diese Adresse ist gesperrt', en: 'This address is suspended' },
    text: {
      de: 'Der Betreiber hat „{host}“ gesperrt. Wenden Sie sich an den Betreiber, wenn Sie das für einen Irrtum halten.',
      en: 'The operator has suspended “{host}”. Contact the operator if you think this is a mistake.',
    },
  },
  paused: {
    status: 503,
    title: { de: 'Vorübergehend nicht erreichbar', en: 'Temporarily unavailable' },
    text: {
      de: '„{host}“ macht gerade eine Pause. Bitte versuchen Sie es später noch einmal.',
      en: '“{host}” is paused right now. Please try again later.',
    },
  },
  access_denied: {
    status: 403,
    title: { de: 'Kein Zugriff', en: 'No access' },
    text: {
      de: 'Die Zugriffsregeln von „{host}“ lassen Sie hier nicht herein. Wenn Sie Zugriff haben sollten, nennen Sie dem Besitzer Ihre IP-Adresse {address}.',
      en: 'The access rules of “{host}” don’t let you in here. If you should have access, give its owner your IP address {address}.',
    },
  },
  ambiguous_path: {
    status: 400,
    title: { de: 'Nicht eindeutiger Pfad', en: 'Ambiguous path' },
    text: {
      de: '„{host}“ hat Zugriffsregeln für Pfade, und den Pfad dieser Anfrage könnten Server verschieden lesen. Deshalb wurde sie nicht weitergeleitet.',
      en: '“{host}” has access rules about paths, and servers could read the path of this request in different ways. So it was not forwarded.',
    },
  },
  sign_in_required: {
    status: 401,
    title: { de: 'Anmeldung nötig', en: 'Sign-in required' },
    text: {
      de: 'Wer „{host}“ öffnen will, muss sich vorher in einem Browserfenster auf dieser Adresse anmelden.',
      en: 'To open “{host}”, sign in at this address in a browser window first.',
    },
  },
  too_many_requests: {
    status: 429,
    title: { de: 'Zu viele Anfragen', en: 'Too many requests' },
    text: {
      de: 'Es sind zu viele Anfragen in kurzer Zeit eingegangen. Bitte versuchen Sie es in {seconds}\u00a0s noch einmal.',
      en: 'Too many requests were sent in a short time. Please try again in {seconds}\u00a0s.',
    },
  },
  body_too_large: {
    status: 413,
    title: { de: 'Die Anfrage ist zu groß', en: 'The request is too large' },
    text: {
      de: 'Eine Anfrage darf höchstens {maximum}\u00a0MB groß sein.',
      en: 'A request can be at most {maximum}\u00a0MB.',
    },
  },
  request_head_too_large: {
    status: 431,
    title: { de: 'Die Anfrage hat zu große Kopfzeilen', en: 'The request headers are too large' },
    text: {
      de: 'Adresse und Kopfzeilen einer Anfrage dürfen zusammen höchstens 16\u00a0kB groß sein. Meist hilft es, die Cookies dieser Adresse im Browser zu löschen.',
      en: 'The address and headers of a request can be at most 16\u00a0kB in total. Deleting this address’s cookies in your browser usually helps.',
    },
  },
  response_head_too_large: {
    status: 502,
    title: {
      de: 'Die Antwort des Admin-Panels hat zu große Kopfzeilen',
      en: 'The admin panel’s response headers are too large',
    },
    text: {
      de: 'Das Admin-Panel hat mit Kopfzeilen geantwortet, die zu groß für den Tunnel sind. Wenn es Ihnen gehört, prüfen Sie, wie viele Cookies es setzt und wie lang seine Weiterleitungen sind.',
      en: 'The admin panel responded with headers that are too large for the tunnel. If it’s yours, check how many cookies it sets and how long its redirects are.',
    },
  },
  certificate_pending: {
    status: 503,
    title: { de: 'Das Zertifikat wird ausgestellt', en: 'The certificate is being issued' },
    text: {
      de: 'Für „{host}“ wird gerade ein Zertifikat ausgestellt. Das dauert meist nur einige Sekunden; diese Seite lädt automatisch neu.',
      en: 'A certificate for “{host}” is being issued. This usually takes a few seconds; the page reloads automatically.',
    },
  },
  certificate_failed: {
    status: 503,
    title: { de: 'Das Zertifikat fehlt', en: 'The certificate is missing' },
    text: {
      de: 'Für „{host}“ konnte noch kein Zertifikat ausgestellt werden. Der nächste Versuch läuft automatisch. Der Betreiber sieht den Grund in der Verwaltung unter „System“.',
      en: 'A certificate for “{host}” could not be issued yet. The next attempt runs automatically. The operator can see the reason under “System” in the administration.',
    },
  },
  panel_unreachable: {
    status: 502,
    title: { de: 'Das Panel antwortet nicht', en: 'The panel is not responding' },
    text: {
      de: 'Das Panel ist gerade nicht erreichbar. Bitte versuchen Sie es in einer Minute noch einmal.',
      en: 'The panel can’t be reached right now. Please try again in a minute.',
    },
  },
  route_unavailable: {
    status: 503,
    title: { de: 'Die Adresse ist gerade nicht erreichbar', en: 'This address is unavailable right now' },
    text: {
      de: 'Talpa kann gerade nicht feststellen, wohin die Adresse führt und wer sie besuchen darf. Bitte versuchen Sie es in einer Minute noch einmal.',
      en: 'Talpa can’t find out right now where this address leads and who may visit it. Please try again in a minute.',
    },
  },
  timeout: {
    status: 504,
    title: { de: 'Das Admin-Panel braucht zu lange', en: 'The admin panel is taking too long' },
    text: {
      de: 'Das Admin-Panel hinter dem Tunnel hat nicht rechtzeitig geantwortet. Bitte versuchen Sie es später noch einmal.',
      en: 'The admin panel behind the tunnel did not respond in time. Please try again later.',
    },
  },
} as const satisfies Record<string, EdgeError>;

export type EdgeErrorCode = keyof typeof edgeErrors;

/** An edge error's title and text for people. */
export function edgeErrorTexts(code: EdgeErrorCode, language: Language, params: TextParams) {
  const { title, text } = edgeErrors[code];
  return { title: title[language], text: fill(text[language], params) };
}
