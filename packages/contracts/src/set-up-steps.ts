import type { DoctorHost, DoctorSaying } from './doctor-texts.ts';

export interface SetUpStep {
  /** What decides it. */
  readonly settings: readonly string[];
  /** Where it is described, in the folder of this release. */
  readonly document: string;
  /** What the doctor says where it does not work although its settings are there. */
  readonly failsWith: readonly DoctorSaying[];
  /** Of names in DNS only this one counts. */
  readonly host?: DoctorHost;
}

/** What an operator does on the first day, in this order. */
export const setUpSteps = {
  domain: {
    settings: ['TUNNEL_DOMAIN'],
    document: 'docs/install.md#settings',
    failsWith: ['dns_missing'],
    host: 'subdomains',
  },
  https: {
    settings: ['ACME_EMAIL'],
    document: 'docs/install.md#settings',
    failsWith: ['certificate_refused', 'certificate_none'],
  },
  mail: {
    settings: ['SMTP_URL', 'MAIL_FROM'],
    document: 'docs/install.md#settings',
    failsWith: ['mail_refused', 'mail_sender_refused'],
  },
  publicUrl: {
    settings: ['PUBLIC_URL'],
    document: 'docs/install.md#settings',
    failsWith: ['dns_missing', 'panel_silent', 'panel_faulty'],
    host: 'panel',
  },
  backup: { settings: [], document: 'docs/install.md#back-up', failsWith: [] },
  customer: { settings: ['REGISTRATION'], document: 'docs/settings.md', failsWith: [] },
} as const satisfies Readonly<Record<string, SetUpStep>>;
export type SetUpStepName = keyof typeof setUpSteps;
