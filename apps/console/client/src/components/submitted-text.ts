/** A text field of a submitted form, without spaces around it; undefined when it is empty. */
export function submittedText(form: HTMLFormElement, name: string): string | undefined {
  const value = new FormData(form).get(name);
  return (typeof value === 'string' && value.trim()) || undefined;
}
