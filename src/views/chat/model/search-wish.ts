/** Holds the search fields' values while the URL, which updates later, still has an older search. */
import { formatSearch, parseSearch, type SearchState } from "./search-state.ts";

export interface SearchFormState {
  /** The values in the fields. */
  fields: SearchState;
  /** The last search seen in the URL. */
  addressKey: string;
  /** Submitted searches not yet in the URL, oldest first. */
  pendingKeys: readonly string[];
}

/** Returns the search as it will appear in the URL. */
const searchKey = (searchState: SearchState) => formatSearch(parseSearch(new URLSearchParams(formatSearch(searchState))) ?? searchState);

export const createFormState = (searchState: SearchState): SearchFormState => ({ fields: searchState, addressKey: searchKey(searchState), pendingKeys: [] });

/** Applies a URL change: a search submitted here leaves the fields alone, any other (going back, a link) fills them. */
export function syncWithAddress(form: SearchFormState, searchState: SearchState): SearchFormState {
  const key = searchKey(searchState);
  if (key === form.addressKey) return form;
  const index = form.pendingKeys.indexOf(key);
  return index === -1 ? createFormState(searchState) : { ...form, addressKey: key, pendingKeys: form.pendingKeys.slice(index + 1) };
}

/** Submits the fields. */
export function submitFields(form: SearchFormState, fields: SearchState): SearchFormState {
  return isSubmitted({ ...form, fields }) ? { ...form, fields } : { ...form, fields, pendingKeys: [...form.pendingKeys, searchKey(fields)] };
}

/** Returns whether the fields' search is in the URL or on its way there. */
export const isSubmitted = ({ fields, addressKey, pendingKeys }: SearchFormState): boolean => searchKey(fields) === (pendingKeys.at(-1) ?? addressKey);
