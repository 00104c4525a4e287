import type { de } from './texts-de.ts';

export const en: Readonly<Record<keyof typeof de, string>> = {
  'mascot.back': 'Go to the panel',
  'mascot.name': 'Mole',
  'mascot.handle': '@maulwurf, the Talpa mascot',
  'mascot.online': 'Awake and digging',
  'mascot.bio':
    'I dig tunnels so your admin panel can be reached while your ports stay closed. My eyesight is poor, but I always find my way out. I avoid daylight, and open ports too.',
  'mascot.role': 'Role',
  'mascot.role.text': 'Tunnel builder on the night shift',
  'mascot.location': 'Location',
  'mascot.location.text': 'One shovel’s depth below your server',
  'mascot.contact': 'Message on Discord',
};
