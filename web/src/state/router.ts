/** Where in the page one is: kept behind the `#`, which never leaves the browser. */

export type Route =
  | { readonly at: 'lobby' }
  | { readonly at: 'new'; readonly game: string }
  | { readonly at: 'table'; readonly table: string; readonly token: string | null }
  | {
      readonly at: 'review';
      readonly table: string;
      readonly deal: number;
      readonly token: string | null;
    }
  | { readonly at: 'deal'; readonly deal: string }
  | { readonly at: 'rules'; readonly game: string }
  | { readonly at: 'settings' }
  | { readonly at: 'history' }
  | { readonly at: 'statistics' };

export const LOBBY: Route = { at: 'lobby' };

/** The route that a hash names; the lobby for anything unknown. */
export function parseRoute(hash: string): Route {
  const [, place = '', ...parts] = hash.replace(/^#/, '').split('/').map(decoded);
  const [first = '', second = '', third = ''] = parts;
  if (place === 'settings' || place === 'history' || place === 'statistics') return { at: place };
  if (!first) return LOBBY;
  switch (place) {
    case 'new':
    case 'rules':
      return { at: place, game: first };
    case 'table':
      return { at: 'table', table: first, token: second || null };
    case 'review':
      if (!/^\d{1,6}$/.test(second)) return LOBBY;
      return { at: 'review', table: first, deal: Number(second), token: third || null };
    case 'deal':
      return { at: 'deal', deal: first };
    default:
      return LOBBY;
  }
}

/** The hash of a route. A token is in it only for a link to be given away. */
export function hashOf(route: Route): string {
  switch (route.at) {
    case 'lobby':
      return '#/';
    case 'new':
    case 'rules':
      return `#/${route.at}/${encodeURIComponent(route.game)}`;
    case 'table':
      return `#/table/${encodeURIComponent(route.table)}${secretOf(route.token)}`;
    case 'review':
      return `#/review/${encodeURIComponent(route.table)}/${route.deal}${secretOf(route.token)}`;
    case 'deal':
      return `#/deal/${route.deal}`;
    default:
      return `#/${route.at}`;
  }
}

/** A whole link that can be given to somebody. */
export function linkTo(route: Route, page: Pick<Location, 'origin' | 'pathname'>): string {
  return page.origin + page.pathname + hashOf(route);
}

function secretOf(token: string | null): string {
  return token ? `/${encodeURIComponent(token)}` : '';
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
