import { runCommand } from '@talpa/instance/cli';
import { joinSettingsFolder } from '../launcher/outside-settings.ts';
import { askedHelp, readCommand } from './commands/command.ts';
import { commands } from './commands/commands.ts';
import { openInstance } from './instance.ts';

/** `npm run talpa -- <command>`: the operator's work on an instance. */
await runCommand(async () => {
  const help = askedHelp(commands, process.argv.slice(2));
  if (help !== null) {
    console.log(help);
    process.exit(0);
  }
  joinSettingsFolder();
  const { command, words, options } = readCommand(commands, process.argv.slice(2));
  const instance = openInstance();
  if (!command.makesInstance) instance.refuseMissing();
  await command.run({ words, options, instance, log: (line) => console.log(line) });
  process.exit();
});
