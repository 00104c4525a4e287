import { Form, Input } from '@talpa/panel-kit/form';
import { type Card, formatted, isRight } from './card.ts';
import styles from './payment.module.css';
import { StepButtons } from './step-buttons.tsx';
import { usePaymentTexts } from './texts.ts';

type Field = keyof Card;
const fields = ['number', 'name', 'expiry', 'cvc'] as const satisfies readonly Field[];
const autoComplete = { number: 'cc-number', name: 'cc-name', expiry: 'cc-exp', cvc: 'cc-csc' } as const;
const longest = { number: 19, name: 100, expiry: 5, cvc: 4 } as const;

/** The card's fields; all are checked when the order is to be reviewed, a fault goes when one types. */
export function CardForm(props: {
  readonly card: Card;
  readonly onChange: (card: Card) => void;
  readonly onReviewed: () => void;
  readonly onBack: () => void;
}) {
  const t = usePaymentTexts();
  const [form] = Form.useForm<Card>();
  return (
    <Form<Card>
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={props.card}
      validateTrigger="onSubmit"
      className={styles.step ?? ''}
      onValuesChange={(changed: Partial<Card>, card) => {
        form.setFields(Object.keys(changed).map((name) => ({ name: name as Field, errors: [] })));
        props.onChange(card);
      }}
      onFinish={props.onReviewed}
      onFinishFailed={({ errorFields: [first] }) => first && form.focusField(first.name)}
    >
      <div className={styles.card}>
        {fields.map((name) => (
          <Form.Item
            key={name}
            name={name}
            label={t(`card.${name}`)}
            {...(name === 'name' ? {} : { normalize: formatted[name] })}
            rules={[
              {
                validator: async (_rule, value: string) => {
                  if (!isRight[name](value)) throw new Error(t(`card.fault.${name}`));
                },
              },
            ]}
          >
            <Input
              autoComplete={autoComplete[name]}
              inputMode={name === 'name' ? 'text' : 'numeric'}
              maxLength={longest[name]}
              {...(name === 'expiry' ? { placeholder: t('card.expiryForm') } : {})}
            />
          </Form.Item>
        ))}
      </div>
      <StepButtons back={t('back')} onBack={props.onBack} next={t('review')} />
    </Form>
  );
}
