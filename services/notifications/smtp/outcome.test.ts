import { expect, it } from 'vitest';
import { answerOf, failureOf, type SmtpFailure } from './outcome.ts';

const failure = (more: Partial<SmtpFailure>) => Object.assign(new Error('it went wrong'), more);

it('what a server says is kept as one line of 500 characters at most', () => {
  expect(answerOf(' 550\r\n\t5.1.1\u0000 no such\n\n user\r\n')).toBe('550 5.1.1 no such user');
  expect(answerOf(`\ud83d${'😀'.repeat(600)}`)).toBe('😀'.repeat(500));
});

it.each([
  ['EENVELOPE', 550, 'refused'],
  ['EMESSAGE', 500, 'refused'],
  ['EMESSAGE', 499, 'failed'],
  ['EENVELOPE', undefined, 'failed'],
  ['EAUTH', 535, 'failed'],
  ['ECONNECTION', 554, 'failed'],
] as const)('%s with %s means that the email is %s', (code, responseCode, result) => {
  const error = failure({ code, ...(responseCode === undefined ? {} : { responseCode }) });
  const answer = 'it went wrong';
  expect(failureOf(error, false)).toMatchObject({ result, answer, isUncertain: false });
});

it('nobody knows what became of a text whose answer is missing', () => {
  const lost = failureOf(failure({ code: 'ESOCKET' }), true);
  expect(lost).toMatchObject({ result: 'failed', answer: 'it went wrong', isUncertain: true, advice: null });
  expect(failureOf(failure({ responseCode: 451, response: '451 later' }), true)).toMatchObject({
    ...{ result: 'failed', isUncertain: false },
    answer: '451 later',
  });
});

it.each([
  [{ code: 'EAUTH' }, 'password'],
  [{ code: 'ESOCKET', originalCode: 'CERT_HAS_EXPIRED' }, 'certificate'],
  [{ code: 'EDNS' }, 'host in SMTP_URL'],
  [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, 'firewall'],
])('%o comes with advice about the %s', (codes, about) => {
  expect(failureOf(failure(codes), false).advice).toContain(about);
});

it.each([
  ['550 5.1.1 no such user', true],
  ['550-5.1.1 no such user', true],
  ['553 5.1.3 bad address', true],
  ['550 5.1.10 the recipient is not found', true],
  ['550 5.2.1 mailbox disabled', true],
  ['550 no such user here', true],
  // The sender's address.
  ['550 5.1.8 bad sender', false],
  ['552 5.2.2 mailbox full', false],
  ['554 5.7.1 relay access denied', false],
  ['550 5.7.26 not authenticated', false],
  ['550 relay not permitted', false],
  ['550 blocked for spam', false],
  ['554 no such user', false],
  ['450 4.1.1 no such user', false],
] as const)(
  '“%s” to a recipient says of the address that it is undeliverable: %s',
  (response, isUndeliverable) => {
    const responseCode = Number(response.slice(0, 3));
    const about = { code: 'EENVELOPE', command: 'RCPT TO', response, responseCode };
    expect(failureOf(failure(about), false)).toMatchObject({ isUndeliverable });
    // Said to the sender, or of the text, it says nothing of the recipient.
    for (const other of [{ command: 'MAIL FROM' }, { code: 'EMESSAGE' }])
      expect(failureOf(failure({ ...about, ...other }), false)).toMatchObject({ isUndeliverable: false });
  },
);
