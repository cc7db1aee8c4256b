/** Injection token of the setting API_ROOT (contract/formats#api-root). */
export const apiRoot = Symbol('API root');
