export const de = {
  all: 'Alle',
  unread: 'Ungelesen',
  filter: 'Filter',
  more: 'Ältere Mitteilungen laden',
  moreFailed: 'Ältere Mitteilungen konnten nicht geladen werden',
} as const;
