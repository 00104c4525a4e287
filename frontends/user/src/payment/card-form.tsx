import { Form, Input } from '@talpa/panel-kit/form';
import { type Card, formats, isRight } from './card.ts';
import { DigitsInput } from './digits-input.tsx';
import styles from './payment.module.css';
import { usePaymentTexts } from './texts.ts';

type Field = keyof Card;
const fields = ['number', 'name', 'expiry', 'cvc'] as const satisfies readonly Field[];
const autoComplete = { number: 'cc-number', name: 'cc-name', expiry: 'cc-exp', cvc: 'cc-csc' } as const;

/** The card's fields; all are checked when the order is to be reviewed, a fault goes when one types. */
export function CardForm(props: {
  readonly id: string;
  readonly card: Card;
  readonly onChange: (card: Card) => void;
  readonly onReviewed: () => void;
}) {
  const t = usePaymentTexts();
  const [form] = Form.useForm<Card>();
  return (
    <Form<Card>
      noValidate
      id={props.id}
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={props.card}
      validateTrigger="onSubmit"
      className={styles.card ?? ''}
      onValuesChange={(changed: Partial<Card>, card) => {
        form.setFields(Object.keys(changed).map((name) => ({ name: name as Field, errors: [] })));
        props.onChange(card);
      }}
      onFinish={props.onReviewed}
      onFinishFailed={({ errorFields: [first] }) => first && form.focusField(first.name)}
    >
      {fields.map((name) => (
        <Form.Item
          key={name}
          name={name}
          label={t(`card.${name}`)}
          rules={[
            {
              validator: async (_rule, value: string) => {
                if (!isRight[name](value)) throw new Error(t(`card.fault.${name}`));
              },
            },
          ]}
        >
          {name === 'name' ? (
            <Input autoComplete={autoComplete.name} maxLength={100} />
          ) : (
            <DigitsInput
              format={formats[name]}
              autoComplete={autoComplete[name]}
              {...(name === 'expiry' ? { placeholder: t('card.expiryForm') } : {})}
            />
          )}
        </Form.Item>
      ))}
    </Form>
  );
}
