export const de = {
  'mascot.back': 'Zum Panel',
  'mascot.name': 'Maulwurf',
  'mascot.handle': '@maulwurf, Maskottchen von Talpa',
  'mascot.online': 'Wach und am Graben',
  'mascot.bio':
    'Ich grabe Tunnel, damit Ihr Admin-Panel erreichbar ist und Ihre Ports geschlossen bleiben. Ich sehe schlecht, finde aber immer den Weg nach draußen. Tageslicht meide ich, offene Ports auch.',
  'mascot.role': 'Beruf',
  'mascot.role.text': 'Tunnelbauer im Nachtdienst',
  'mascot.location': 'Ort',
  'mascot.location.text': 'Einen Spatenstich unter Ihrem Server',
  'mascot.contact': 'Auf Discord schreiben',
} as const;
