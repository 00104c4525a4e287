/** How an attempt to send an email has ended. `refused`: the server never will; `failed`: it may the next time. */
export interface Delivery {
  readonly result: 'sent' | 'refused' | 'failed';
  /** What the server said, or what went wrong. It may repeat the address. */
  readonly answer: string;
  /** The server has got the email and its answer was lost: nobody knows whether it took it. */
  readonly isUncertain: boolean;
}

/** The fields of nodemailer's errors that we read. */
export interface SmtpFailure extends Error {
  readonly code?: string;
  readonly response?: string;
  readonly responseCode?: number;
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
  const { code, response, responseCode } = error;
  const isAboutEmail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const isPermanent = responseCode !== undefined && responseCode >= 500;
  return {
    result: isAboutEmail && isPermanent ? 'refused' : 'failed',
    answer: answerOf(response || error.message),
    isUncertain: wasHandedOver && responseCode === undefined,
  };
}
