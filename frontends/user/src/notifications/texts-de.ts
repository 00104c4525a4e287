export const de = {
  subtitle: 'Was mit Ihren Proxys, Ihrem Plan und Ihrem Konto geschehen ist. Aufbewahrt werden 90 Tage.',
  all: 'Alle',
  unread: 'Ungelesen',
  filter: 'Filter',
  more: 'Ältere Mitteilungen laden',
  moreFailed: 'Ältere Mitteilungen konnten nicht geladen werden',
} as const;
