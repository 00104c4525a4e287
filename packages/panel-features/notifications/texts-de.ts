export const de = {
  empty: 'Keine Mitteilungen',
  'empty.text': 'Hier steht, was mit Ihren Proxys, Ihrem Plan und Ihrem Konto geschieht.',
  'empty.unread': 'Keine ungelesenen Mitteilungen',
  failed: 'Ihre Mitteilungen konnten nicht geladen werden',
  list: 'Mitteilungen',
  unread: 'Ungelesen',
  markAll: 'Alle als gelesen markieren',
  'markAll.failed': 'Die Mitteilungen wurden nicht als gelesen markiert',
} as const;
