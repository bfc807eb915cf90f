/** An own member of `object`; undefined for inherited names ("constructor", …). */
export const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);
