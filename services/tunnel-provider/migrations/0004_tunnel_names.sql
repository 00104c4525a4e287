-- A tunnel's name says whose it is: by it the edge finds the policy of a proxy.
grant select (name) on tunnels to edge_app;
