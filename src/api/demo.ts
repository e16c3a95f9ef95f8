import * as operations from "../../contract/operations/demo.ts";
import { call, type CallOptions } from "./http.ts";

export const getDemo = async (options?: CallOptions) => (await call(operations.getDemo, {}, options)).data;
export const makeDemo = async () => (await call(operations.makeDemo, {})).data;
