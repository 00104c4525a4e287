import type { NotificationContent } from '@talpa/contracts';
import { type NotificationWords, notificationWords } from '@talpa/contracts/notification-words';
import { fillText, formatTime, useLanguage } from '@talpa/panel-kit/core';

/** Gives what a notification says, in the language that is shown. */
export function useNotificationWords(): (notification: NotificationContent) => NotificationWords {
  const language = useLanguage();
  return (notification) => notificationWords(notification, language, formatTime, fillText);
}
