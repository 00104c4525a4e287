import type { MenuIcon } from '@talpa/panel-kit/pages';
import {
  Cable,
  Gauge,
  Globe,
  LayoutDashboard,
  type LucideIcon,
  Mail,
  Megaphone,
  RadioTower,
  ScrollText,
  Settings,
  Ticket,
  Users,
} from 'lucide-react';

/** The icons that pages can have in the menu: of different outlines, for collapsed it shows nothing else. */
export const menuIcons: Readonly<Record<MenuIcon, LucideIcon>> = {
  dashboard: LayoutDashboard,
  cable: Cable,
  settings: Settings,
  users: Users,
  ticket: Ticket,
  all: Globe,
  log: ScrollText,
  megaphone: Megaphone,
  mail: Mail,
  channel: RadioTower,
  system: Gauge,
};
