import type { ErrorTexts } from './error-texts.ts';

/** Errors of keys with which machines connect themselves. */
export const enrolmentErrors = {
  enrolment_key_invalid: {
    status: 403,
    de: 'Dieser Befehl ist ungültig oder abgelaufen. Holen Sie sich im Panel einen neuen.',
    en: 'This command is invalid or has expired. Get a new one from the panel.',
  },
  enrolment_key_used: {
    status: 403,
    de: 'Dieser Befehl hat bereits so viele Server verbunden, wie er darf. Holen Sie sich im Panel einen neuen.',
    en: 'This command has already connected as many servers as it may. Get a new one from the panel.',
  },
  enrolment_panel_missing: {
    status: 409,
    de: 'Dieser Befehl legt einen neuen Proxy an. Dafür muss bekannt sein, auf welchem Port das Admin-Panel läuft.',
    en: 'This command creates a new proxy. For that, it must be known which port the admin panel runs on.',
  },
  enrolment_key_limit: {
    status: 409,
    de: 'Sie haben bereits {limit} gültige Installationsbefehle. Widerrufen Sie einen, oder warten Sie, bis einer abläuft.',
    en: 'You already have {limit} valid install commands. Revoke one, or wait until one expires.',
  },
} as const satisfies ErrorTexts;
