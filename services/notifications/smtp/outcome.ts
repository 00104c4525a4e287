/** How an attempt to send an email has ended. `refused`: the server never will; `failed`: it may the next time. */
export interface Delivery {
  readonly result: 'sent' | 'refused' | 'failed';
  /** What the server said, or what went wrong. It may repeat the address. */
  readonly answer: string;
  /** The server has got the email and its answer was lost: nobody knows whether it took it. */
  readonly isUncertain: boolean;
  /** There is no such address, says the server. */
  readonly isUndeliverable: boolean;
  /** What the operator can do, where we know it. */
  readonly advice: string | null;
}

/** The fields of nodemailer's errors that we read. */
export interface SmtpFailure extends Error {
  readonly code?: string;
  /** The code of the error that it wraps. */
  readonly originalCode?: string;
  readonly response?: string;
  readonly responseCode?: number;
  /** What was said to the server. */
  readonly command?: string;
}

const longestAnswer = 500;

/** One line of plain characters, that a server cannot make longer than we keep. */
export function answerOf(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  return [...line].slice(0, longestAnswer).join('');
}

/**
 * What a failure means. A 5xx about this email is for good. One about us (sign-in, greeting) is not about the email: once
 * the operator has corrected it, the email goes out.
 * @param wasHandedOver the server had begun to receive the email's text
 */
export function failureOf(error: SmtpFailure, wasHandedOver: boolean): Delivery {
  const { code, response, responseCode, command } = error;
  const isAboutEmail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const isPermanent = responseCode !== undefined && responseCode >= 500;
  return {
    result: isAboutEmail && isPermanent ? 'refused' : 'failed',
    answer: answerOf(response || error.message),
    isUncertain: wasHandedOver && responseCode === undefined,
    isUndeliverable:
      code === 'EENVELOPE' &&
      command === 'RCPT TO' &&
      isPermanent &&
      isAboutAddress(responseCode, response ?? ''),
    advice: adviceFor(error),
  };
}

/**
 * Whether the refusal of a recipient is about the address, not about us: a server that takes us for a spammer, or relays
 * for nobody, responds with 5xx to every recipient. RFC 3463 codes distinguish these; without such a code, only clear answers count.
 */
function isAboutAddress(code: number, response: string): boolean {
  const [, enhanced] = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  if (enhanced) return /^5\.(1\.([0-6]|10)|2\.1)$/.test(enhanced);
  return (
    [550, 551, 553].includes(code) && !/relay|spam|block|denied|policy|reputation|authenti/i.test(response)
  );
}

/** The first that fits counts. */
const advices: readonly (readonly [RegExp, string])[] = [
  [/^EAUTH$/, 'Check the user and the password in SMTP_URL.'],
  [
    /CERT|UNABLE_TO_VERIFY/,
    'The server’s certificate is not valid, so nothing is sent. Renew it, use the name in SMTP_URL that it is for, or give its authority in NODE_EXTRA_CA_CERTS.',
  ],
  [/^ERR_SSL|^EPROTO$/, 'This port does not begin with TLS. Use smtp:// in SMTP_URL, or another port.'],
  [
    /^ETLS$/,
    'The server offers no TLS, and a password is sent only by TLS. Use smtps:// in SMTP_URL, or another port.',
  ],
  [/^(EDNS|ENOTFOUND)$/, 'Check the host in SMTP_URL.'],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/,
    'Check the host and the port in SMTP_URL, and whether a firewall is in between.',
  ],
];

/** Advice for what would keep any email from being sent. It repeats nothing that the server has said. */
function adviceFor({ code, originalCode }: SmtpFailure): string | null {
  const codes = [originalCode, code].filter((one) => one !== undefined);
  return advices.find(([pattern]) => codes.some((one) => pattern.test(one)))?.[1] ?? null;
}
