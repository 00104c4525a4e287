/** Texts of the pieces all parts of the panel share. */
export const de = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  copied: 'Kopiert',
  copy: 'Kopieren',
  copyFailed: 'Bitte markieren und kopieren Sie den Text selbst.',
  'error.title': 'Ein Fehler ist aufgetreten',
  'error.requestId': 'Kennung der Anfrage: {id}',
  'error.retry': 'Erneut versuchen',
  'error.stale.title': 'Eine neue Version ist da',
  'error.stale.text': 'Das Panel wurde seit dem Öffnen dieser Seite erneuert. Bitte laden Sie die Seite neu.',
  'error.stale.reload': 'Seite neu laden',
  language: 'Sprache',
  'language.switch': 'Sprache wechseln: {name}',
  loading: 'Wird geladen …',
  'suspension.reason': 'Grund',
  'suspension.reason.hint': 'Der Besitzer liest ihn so, wie er hier steht.',
} as const;
