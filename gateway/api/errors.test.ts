import { errorBody, errors } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import { describe, expect, it } from 'vitest';
import { errorBodyOf, toAppError } from './errors.ts';

describe('an error’s body', () => {
  it('has the contract’s shape, with texts in the language asked for', () => {
    const error = new AppError('invalid_input', {
      issues: [
        { path: ['username'], key: 'usernameTooShort' },
        { path: ['email'], key: 'tooLong', params: { maximum: 254 } },
      ],
    });
    expect(errorBody.parse(errorBodyOf(error, 'de', 'r1'))).toEqual({
      code: 'invalid_input',
      message: 'Überprüfen Sie Ihre Eingaben.',
      issues: [
        { path: ['username'], message: 'Benutzername muss mindestens 3 Zeichen haben' },
        { path: ['email'], message: 'Höchstens 254 Zeichen' },
      ],
      requestId: 'r1',
    });
    expect(errorBodyOf(error, 'en', 'r1').issues?.[0]?.message).toBe(
      'Username must be at least 3 characters long',
    );
  });

  it('fills in the parameters of its text', () => {
    const error = new AppError('proxy_limit_reached', { params: { limit: 3 } });
    expect(errorBodyOf(error, 'en', 'r1').message).toContain('3');
  });
});

describe('a failure nobody expected', () => {
  it('gets a response without any of its words', () => {
    const body = errorBodyOf(toAppError(new Error('password of role x at 10.0.0.1')), 'en', 'r1');
    expect(body).toEqual({ code: 'internal', message: errors.internal.en, requestId: 'r1' });
  });
});
