/** How a command of the operator is called in a clone; images and charts say it in their own documents. */
export const operatorCommand = (command: string) => `npm run talpa -- ${command}`;
