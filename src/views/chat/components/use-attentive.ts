import { useSyncExternalStore } from "react";
import { isPageVisible, onPageVisibilityChange } from "../../../lib/attention.ts";

/** Whether somebody looks at this page right now. */
export const usePageVisible = () => useSyncExternalStore(onPageVisibilityChange, isPageVisible);
