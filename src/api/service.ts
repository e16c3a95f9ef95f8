import { getService as operation } from "../../contract/operations/session.ts";
import { call, type CallOptions } from "./http.ts";

export const getService = async (options?: CallOptions) => (await call(operation, {}, options)).data;
