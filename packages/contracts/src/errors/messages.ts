import type { ErrorTexts } from './error-texts.ts';

/** Errors of emails, channels, deliveries and announcements. */
export const messagesErrors = {
  mail_on_its_way: {
    status: 409,
    de: 'Diese E-Mail wurde bereits gesendet oder wird gerade gesendet.',
    en: 'This email has already been sent or is being sent.',
  },
  mail_not_kept: {
    status: 409,
    de: 'Diese E-Mail ist nur für ihren Empfänger, oder ihr Inhalt wird nicht mehr aufbewahrt.',
    en: 'This email is for its recipient only, or its content is no longer kept.',
  },
  mail_address_missing: {
    status: 409,
    de: 'Ihr Konto hat noch keine bestätigte E-Mail-Adresse. Wie Sie sie eintragen und bestätigen, steht in den Einstellungen.',
    en: 'Your account has no confirmed email address yet. Your settings say how to enter and confirm it.',
  },
  channel_limit: {
    status: 409,
    de: 'Es gibt bereits {limit} Kanäle. Löschen Sie einen, bevor Sie einen weiteren erstellen.',
    en: 'There are already {limit} channels. Delete one before you create another.',
  },
  channel_without_secret: {
    status: 409,
    de: 'Nur Webhooks haben ein Geheimnis, mit dem Talpa unterschreibt.',
    en: 'Only webhooks have a secret that Talpa signs with.',
  },
  delivery_on_its_way: {
    status: 409,
    de: 'Diese Nachricht wird bereits gesendet. Bitte warten Sie einen Augenblick.',
    en: 'This message is already being sent. Please wait a moment.',
  },
  announcement_ended: {
    status: 409,
    de: 'Diese Ankündigung ist bereits beendet. Erstellen Sie eine neue.',
    en: 'This announcement has already ended. Create a new one.',
  },
} as const satisfies ErrorTexts;
