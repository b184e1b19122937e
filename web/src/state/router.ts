/** Where in the page one is: kept behind the `#`, which never leaves the browser. */

export type Route =
  | { readonly at: 'lobby' }
  | { readonly at: 'new'; readonly game: string }
  | { readonly at: 'table'; readonly table: string; readonly token: string | null }
  | { readonly at: 'deal'; readonly deal: string }
  | { readonly at: 'rules'; readonly game: string }
  | { readonly at: 'settings' }
  | { readonly at: 'history' };

export const LOBBY: Route = { at: 'lobby' };

/** The route that a hash names; the lobby for anything unknown. */
export function parseRoute(hash: string): Route {
  const [, place = '', first = '', second = ''] = hash.replace(/^#/, '').split('/').map(decoded);
  if (place === 'settings' || place === 'history') return { at: place };
  if (!first) return LOBBY;
  switch (place) {
    case 'new':
    case 'rules':
      return { at: place, game: first };
    case 'table':
      return { at: 'table', table: first, token: second || null };
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
    case 'table': {
      const token = route.token ? `/${encodeURIComponent(route.token)}` : '';
      return `#/table/${encodeURIComponent(route.table)}${token}`;
    }
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

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
