interface SetUpStep {
  /** What decides it. */
  readonly settings: readonly string[];
  /** Where it is described, in the folder of this release. */
  readonly document: string;
}

/** What an operator does on the first day, in this order. */
export const setUpSteps = {
  domain: { settings: ['TUNNEL_DOMAIN'], document: 'docs/install.md#settings' },
  https: { settings: ['ACME_EMAIL'], document: 'docs/install.md#settings' },
  mail: { settings: ['SMTP_URL', 'MAIL_FROM'], document: 'docs/install.md#settings' },
  publicUrl: { settings: ['PUBLIC_URL'], document: 'docs/install.md#settings' },
  backup: { settings: [], document: 'docs/install.md#back-up' },
  customer: { settings: ['REGISTRATION'], document: 'docs/settings.md' },
} as const satisfies Readonly<Record<string, SetUpStep>>;
export type SetUpStepName = keyof typeof setUpSteps;
