/** A member that `object` itself has; undefined for what every object inherits ("constructor", …). */
export const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);
