import * as z from 'zod';

/** A setting that the provider obeys, by its name at SCORM Cloud. Values are texts. */
export interface Setting {
  readonly default: string;
  readonly dataType: 'boolean' | 'enum' | 'integer' | 'decimal' | 'string' | 'password';
  readonly description: string;
  readonly validValues?: readonly string[];
  /** The form in which a value is stored. */
  readonly value: z.ZodType<string>;
}

type Values<Value extends string> = readonly [Value, ...Value[]];

/** The values of an enumeration, which are compared without regard to case. */
export const oneOf = (values: Values<string>) => ({
  validValues: values,
  value: z.string().transform((given, { issues }) => {
    const value = values.find((each) => each.toLowerCase() === given.toLowerCase());
    if (value !== undefined) return value;
    const message = `is not one of ${values.join(', ')}`;
    issues.push({ code: 'custom', input: given, message });
    return z.NEVER;
  }),
});

/** A setting whose first value is the default. */
export const choiceSetting = (description: string, values: Values<string>) => ({
  default: values[0],
  dataType: 'enum' as const,
  description,
  ...oneOf(values),
});

export const flagSetting = (description: string, defaultValue: boolean) => ({
  default: String(defaultValue),
  dataType: 'boolean' as const,
  description,
  ...oneOf(['true', 'false']),
});

/** A setting that is a whole number, by default the least one. */
export const numberSetting = (description: string, [least, most]: readonly [number, number]) => ({
  default: String(least),
  dataType: 'integer' as const,
  description,
  value: z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error: `is not a whole number from ${least} to ${most}`,
    })
    .transform((text) => String(Number(text))),
});
