/** A form whose fields can be newer than what the URL has of them, because the URL updates later. */

export interface UrlForm<T> {
  fields: T;
  /** The last fields seen in the URL. */
  urlKey: string;
  /** Submitted fields that are not in the URL yet, oldest first. */
  pendingKeys: readonly string[];
}

/** `keyOf`: the fields as they will appear in the URL. */
export const createUrlForms = <T>(keyOf: (fields: T) => string) => {
  const create = (fields: T): UrlForm<T> => ({ fields, urlKey: keyOf(fields), pendingKeys: [] });
  /** Returns whether the fields are in the URL or on their way there. */
  const isSubmitted = ({ fields, urlKey, pendingKeys }: UrlForm<T>): boolean => keyOf(fields) === (pendingKeys.at(-1) ?? urlKey);
  return {
    create,
    isSubmitted,
    /** Applies a URL change: what this form has submitted keeps the fields; anything else (going back, a link) replaces them. */
    syncWithUrl(form: UrlForm<T>, urlFields: T): UrlForm<T> {
      const key = keyOf(urlFields);
      if (key === form.urlKey) return form;
      const index = form.pendingKeys.indexOf(key);
      return index === -1 ? create(urlFields) : { ...form, urlKey: key, pendingKeys: form.pendingKeys.slice(index + 1) };
    },
    submit: (form: UrlForm<T>, fields: T): UrlForm<T> =>
      isSubmitted({ ...form, fields }) ? { ...form, fields } : { ...form, fields, pendingKeys: [...form.pendingKeys, keyOf(fields)] },
  };
};
