// Shared once in the browser: the parts of the router we use, for shared whole it weighs twice as much.
export {
  createBrowserRouter,
  Link,
  type Location,
  matchPath,
  Navigate,
  Outlet,
  type RouteObject,
  RouterProvider,
  ScrollRestoration,
  useBlocker,
  useLocation,
  useNavigate,
  useParams,
  useRouteError,
  useRoutes,
  useSearchParams,
} from 'react-router-dom';
