import type { MenuIcon } from '@talpa/panel-kit/pages';
import {
  Cable,
  LayoutDashboard,
  type LucideIcon,
  Mail,
  Megaphone,
  Network,
  ScrollText,
  ServerCog,
  Settings,
  Ticket,
  Users,
  Webhook,
} from 'lucide-react';

/** The icons that pages can have in the menu. */
export const menuIcons: Readonly<Record<MenuIcon, LucideIcon>> = {
  dashboard: LayoutDashboard,
  cable: Cable,
  settings: Settings,
  users: Users,
  ticket: Ticket,
  network: Network,
  log: ScrollText,
  megaphone: Megaphone,
  mail: Mail,
  webhook: Webhook,
  system: ServerCog,
};
