import type { BusUser } from '@talpa/service-kit/bus/permissions';

/** See ports.mjs: plain JavaScript, because the bootstrap asks before there is a Node for TypeScript. */
export interface StartPort {
  readonly setting: string;
  readonly port: number;
  readonly hostSetting: string;
  readonly host: string;
}
/** A process of the product. */
export type ProcessName = Exclude<BusUser, 'operator'> | 'tunnel-provider';
export const processNames: readonly ProcessName[];
export const groupName: 'services';
export function isGrouped(env: NodeJS.ProcessEnv, cores?: number, bytes?: number): boolean;
export function processOf(name: string, env: NodeJS.ProcessEnv): string;
export function runsProvider(env: NodeJS.ProcessEnv): boolean;
export function edgeNames(env: NodeJS.ProcessEnv, cores?: number): string[];
export function startedNames(env: NodeJS.ProcessEnv): string[];
export function portsOf(env: NodeJS.ProcessEnv): StartPort[];
export function takenPort(env: NodeJS.ProcessEnv): Promise<string | null>;
export function portSettingsOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
