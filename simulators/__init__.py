"""Simulated devices, people and tables ("worlds") that speak the real wire formats. Production code never imports this
package.
"""
