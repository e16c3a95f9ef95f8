/** What stands in the search's fields while the address, which follows later, still tells of something earlier. */
import { formatSearch, parseSearch, type SearchState } from "./search-state.ts";

export interface SearchFormState {
  /** As the fields show it. */
  fields: SearchState;
  /** What the address told last. */
  addressKey: string;
  /** What was asked for and has not come into the address yet, oldest first. */
  pendingKeys: readonly string[];
}

/** As the address will tell it. */
const searchKey = (searchState: SearchState) => formatSearch(parseSearch(new URLSearchParams(formatSearch(searchState))) ?? searchState);

export const createFormState = (searchState: SearchState): SearchFormState => ({ fields: searchState, addressKey: searchKey(searchState), pendingKeys: [] });

/** The address tells something: what was asked for here leaves the fields alone, anything else (going back, a link) fills them. */
export function syncWithAddress(form: SearchFormState, searchState: SearchState): SearchFormState {
  const key = searchKey(searchState);
  if (key === form.addressKey) return form;
  const index = form.pendingKeys.indexOf(key);
  return index === -1 ? createFormState(searchState) : { ...form, addressKey: key, pendingKeys: form.pendingKeys.slice(index + 1) };
}

/** The fields are being asked for. */
export function submitFields(form: SearchFormState, fields: SearchState): SearchFormState {
  return isSubmitted({ ...form, fields }) ? { ...form, fields } : { ...form, fields, pendingKeys: [...form.pendingKeys, searchKey(fields)] };
}

/** Whether what stands in the fields is in the address, or on its way there. */
export const isSubmitted = ({ fields, addressKey, pendingKeys }: SearchFormState): boolean => searchKey(fields) === (pendingKeys.at(-1) ?? addressKey);
