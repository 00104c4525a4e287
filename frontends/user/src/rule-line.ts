/** The id of the line that shows a rule on a proxy's page. */
export const ruleLineId = (number: number) => `access-rule-${number}`;
